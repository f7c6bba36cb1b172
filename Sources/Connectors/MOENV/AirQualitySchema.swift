import OpenDataCore

extension Schema {
    /// The air at one station in one hour, under the names of before 2021 and of now.
    static let airQuality = Schema(
        [
            .text("site_id", "siteid", "SiteId", title: "測站編號", optionalColumn: true),
            .text("site_name", "sitename", "SiteName", "測站名稱", title: "測站名稱", required: true),
            .text("county", "county", "County", "縣市", title: "縣市"),
            .integer("aqi", "aqi", "AQI", title: "空氣品質指標", english: "air quality index", unit: .index),
            .text("pollutant", "pollutant", "Pollutant", title: "空氣污染指標物", english: "main pollutant"),
            .text("status", "status", "Status", title: "狀態"),
            .number("so2", "so2", "SO2", title: "二氧化硫", english: "sulphur dioxide", unit: .partsPerBillion),
            .number("co", "co", "CO", title: "一氧化碳", english: "carbon monoxide", unit: .partsPerMillion),
            .number("o3", "o3", "O3", title: "臭氧", english: "ozone", unit: .partsPerBillion),
            .number(
                "o3_8hr", "o3_8hr", "O3_8hr", title: "臭氧8小時移動平均", english: "ozone, mean of 8 hours",
                unit: .partsPerBillion),
            .number("pm10", "pm10", "PM10", title: "懸浮微粒", english: "PM10", unit: .microgramsPerCubicMetre),
            .number("pm25", "pm2.5", "PM2.5", title: "細懸浮微粒", english: "PM2.5", unit: .microgramsPerCubicMetre),
            .number("no2", "no2", "NO2", title: "二氧化氮", english: "nitrogen dioxide", unit: .partsPerBillion),
            .number("nox", "nox", "NOx", title: "氮氧化物", english: "nitrogen oxides", unit: .partsPerBillion),
            .number("no", "no", "NO", title: "一氧化氮", english: "nitric oxide", unit: .partsPerBillion),
            .number("wind_speed", "wind_speed", "WindSpeed", title: "風速", unit: .metresPerSecond),
            .number(
                "wind_direction", "wind_direc", "WindDirec", title: "風向", english: "wind direction", unit: .degree),
            .dateTime("published_at", "publishtime", "PublishTime", title: "資料發布時間", english: "hour of the values"),
            .number(
                "co_8hr", "co_8hr", "CO_8hr", title: "一氧化碳8小時移動平均", english: "carbon monoxide, mean of 8 hours",
                unit: .partsPerMillion),
            .number(
                "pm25_avg", "pm2.5_avg", "PM2.5_AVG", title: "細懸浮微粒移動平均值", english: "PM2.5, moving mean",
                unit: .microgramsPerCubicMetre),
            .number(
                "pm10_avg", "pm10_avg", "PM10_AVG", title: "懸浮微粒移動平均值", english: "PM10, moving mean",
                unit: .microgramsPerCubicMetre),
            .number(
                "so2_avg", "so2_avg", "SO2_AVG", title: "二氧化硫移動平均值", english: "sulphur dioxide, moving mean",
                unit: .partsPerBillion, optionalColumn: true),
            .number("longitude", "longitude", "Longitude", title: "經度", unit: .degree),
            .number("latitude", "latitude", "Latitude", title: "緯度", unit: .degree),
        ],
        primaryKey: ["site_name", "published_at"])
}
