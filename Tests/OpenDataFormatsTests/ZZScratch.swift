import Foundation
import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing
@Suite struct ZZScratch {
  @Test func show() throws {
    for line in JSONCorpusTests.Line.all where line.verdict != "plain" {
      do { let f = try JSONFinder.find(in: Payload(response: Response(url: "t:"), body: .bytes(try SharedData.bytes(line.file))), FormatHints())
        print("##", line.verdict, line.file, f.findings) } catch { print("##", line.verdict, line.file, error) }
    }
  }
}
