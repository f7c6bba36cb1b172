import OpenData

/// Answers from a table, by the end of the address; counts what was asked.
actor StubTransport: Transport {
    private let answers: [String: Result<String, OpenDataError>]
    private let fileName: String?
    private(set) var asked: [String] = []

    init(_ answers: [String: Result<String, OpenDataError>], fileName: String? = nil) {
        self.answers = answers
        self.fileName = fileName
    }

    func send(_ request: Request) async throws(OpenDataError) -> Payload {
        asked.append(request.url)
        guard let answer = answers.first(where: { request.url.hasSuffix($0.key) })?.value else {
            throw OpenDataError(.notFound, "nothing at \(request.url)", status: 404)
        }
        return Payload(
            response: Response(fileName: fileName, url: request.url), body: .bytes(Array(try answer.get().utf8)))
    }
}

/// A data set of two columns whose behaviour a test chooses.
struct TestSource: DataSource {
    var dataset = Dataset(
        id: "test.things", title: "東西", english: "Things", publisher: "示例", licence: .unstated, page: "https://e.tw/",
        parameters: [Parameter("pages", .code, "how many pages")],
        schema: [.text("code", "代號", required: true), .integer("n", "數量"), .date("day", "日期", optionalColumn: true)])
    var format = Format.csv
    var addresses = ["https://e.tw/1"]
    var following: [String: String] = [:]
    var accepted: [Format]?
    var constant: String?
    var refusedTitle: String?
    var blankPayloadMeans = OpenDataError.Code.emptyBody

    func request(_ arguments: Arguments) throws(OpenDataError) -> Request { try Request(addresses[0]) }

    func requests(_ arguments: Arguments) throws(OpenDataError) -> [Request] {
        var requests: [Request] = []
        for address in addresses { requests.append(try Request(address)) }
        return requests
    }

    func nextRequest(after page: Page, _ arguments: Arguments) throws(OpenDataError) -> Request? {
        guard let next = following[page.request.url] else { return nil }
        return try Request(next)
    }

    func formats(_ arguments: Arguments) -> [Format] { accepted ?? [format] }

    func constants(
        _ preamble: Preamble, _ page: Request, _ arguments: Arguments
    ) throws(OpenDataError) -> [String: String] {
        if constant == "file name" { return ["day": preamble.response.fileName ?? ""] }
        return constant.map { ["day": $0] } ?? [:]
    }

    func check(_ preamble: Preamble, _ page: Request, _ arguments: Arguments) throws(OpenDataError) {
        if let refusedTitle, preamble["title"] == refusedTitle { throw OpenDataError(.noData, refusedTitle) }
    }
}
