import OpenDataCore

extension Schema {
    /// A station and what stands there, under the names of 2016, of the second system and of since 2025.
    static let bikeStations = Schema(
        [
            .text("id", "sno", title: "站點代號", english: "station number", required: true),
            .text("name", "sna", title: "場站名稱", english: "station name"),
            .text("district", "sarea", title: "行政區"),
            .text("address", "ar", title: "地點"),
            .text("name_en", "snaen", title: "場站英文名稱", english: "station name in English"),
            .text("district_en", "sareaen", title: "英文行政區", english: "district in English"),
            .text("address_en", "aren", title: "英文地址", english: "address in English"),
            .integer("capacity", "total", "tot", "Quantity", title: "場站總停車格", english: "docks in all", unit: .count),
            .integer(
                "bikes", "available_rent_bikes", "sbi", title: "可借車數", english: "bicycles to rent", unit: .count),
            .integer(
                "docks", "available_return_bikes", "bemp", title: "可還空位數", english: "docks to return to", unit: .count),
            .text("in_service", "act", title: "全站禁用狀態", english: "1 if in service, 0 if not"),
            .dateTime("reported_at", "mday", title: "資料更新時間", english: "time of the station's report"),
            .dateTime(
                "source_updated_at", "srcUpdateTime", title: "系統發布資料更新時間",
                english: "time at which the operator sent it", optionalColumn: true),
            .dateTime(
                "updated_at", "updateTime", title: "大數據平台處理時間", english: "time at which the city put it out",
                optionalColumn: true),
            .dateTime(
                "info_time", "infoTime", title: "各場站來源資料更新時間", english: "time of the station's data",
                optionalColumn: true),
            .date(
                "info_date", "infoDate", title: "各場站來源資料更新日期", english: "day of the station's data",
                optionalColumn: true),
            .number("latitude", "latitude", "lat", title: "緯度", unit: .degree),
            .number("longitude", "longitude", "lng", title: "經度", unit: .degree),
        ],
        primaryKey: ["id"])
}
