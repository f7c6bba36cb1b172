import OpenDataCore

/// XML as it is published.
enum XMLSeeds {
    /// Words that mean something to a reader of XML.
    static let words: [[UInt8]] =
        [
            "<", ">", "</", "/>", "&", "&amp;", "&#65;", "&#x4E2D;", "&#0;", "&lt;", "&unknown;", "<![CDATA[", "]]>",
            "<!--", "-->",
            "<?pi x?>", "<?xml version=\"1.0\"?>", "<!DOCTYPE a>", "<!DOCTYPE a [<!ENTITY b \"c\">]>", " a=\"1\"",
            " xmlns=\"u\"",
            " xmlns:p=\"u\"", "p:", "<row>", "</row>", "<a/>", "=", "'", "\"", "\r\n", "\u{FEFF}", " xsi:nil=\"true\"",
            "--",
            "<a><a><a>", "\u{FFFE}", "\u{0}",
        ].map { Array($0.utf8) } + [[0xEF, 0xBB, 0xBF], [0xED, 0xA0, 0x80], [0x1B]]

    /// The seeds.
    static let all: [FuzzSeed] = [
        FuzzSeed(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- 測站 --><table>
            <row><SiteName>基隆</SiteName><AQI>31</AQI><Status/></row>
            <row><SiteName>汐止 &amp; 瑞芳</SiteName><AQI>&#52;2</AQI><Status>良好</Status></row>
            </table>
            """, .xml(records: "table/row"),
            .xml(XMLLayout(records: ["table/row"], columns: ["AQI", "Other", "SiteName"]))),
        FuzzSeed(
            """
            <cwbopendata xmlns="urn:cwb:gov:tw:cwbcommon:0.1"><dataset><location><locationName>臺北市</locationName>\
            <weatherElement><elementName>Wx</elementName><time><startTime>2026-07-08T18:00:00+08:00</startTime><parameter>\
            <parameterName>晴</parameterName></parameter></time></weatherElement></location></dataset></cwbopendata>
            """, .xml(records: "cwbopendata/dataset/location"),
            .xml(XMLLayout(records: ["cwbopendata/dataset/location/weatherElement/time"], includesSurroundings: true)),
            .xml(XMLLayout(records: ["cwbopendata/dataset/location"], nested: .json))),
        FuzzSeed(
            """
            <Data xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version='1'><item id="1" p="a&quot;b"><v unit="℃">25\
            </v><v>26</v><w xsi:nil="true"/></item>\r\n<item id="2"><![CDATA[<b>&]]> text<v/></item></Data>
            """, .xml(records: "Data/item"), .xml(XMLLayout(records: ["Data/item"], nested: .json))),
        FuzzSeed(
            "<r><Row><Col1 name=\"month\">1</Col1><Col2 name=\"fires\">12</Col2></Row><Row><Col1 name=\"month\">2</Col1></Row></r>",
            .xml(XMLLayout(records: ["r/Row"], columnNames: "name"))),
        FuzzSeed(
            "<p:Placemark><name>a</name><Point><coordinates>1,2</coordinates></Point></p:Placemark><p:Placemark><name>b</name></p:Placemark>",
            .xml(XMLLayout(records: ["Placemark"], isFragment: true))),
        FuzzSeed(
            "<l>" + (1...12).map { "<e n=\"\($0)\"><a>x\($0)</a><b>&lt;\($0)&gt;</b></e>" }.joined() + "</l>",
            .xml(records: "l/e"), .xml(XMLLayout(records: ["l/e/a", "l/e/b"], includesSurroundings: true))),
        FuzzSeed(
            String(repeating: "<a>", count: 60) + String(repeating: "</a>", count: 60), .xml(records: "a/a", "a/a/a")),
    ]
}
