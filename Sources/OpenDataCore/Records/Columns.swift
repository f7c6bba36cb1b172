/// The names of a batch's columns, told apart by their Unicode scalars.
///
/// Swift compares strings by canonical equivalence, under which 金 U+91D1 equals its look-alike U+F90A; publishers'
/// headers hold both. Two names here are the same only if their UTF-8 is.
@frozen
public struct Columns: Sendable {
    /// The names, in order.
    public let names: [String]

    /// Makes columns of the names, which may repeat.
    public init(_ names: [String]) { self.names = names }

    /// The number of columns.
    @inlinable public var count: Int { names.count }

    /// The first column of that very name.
    ///
    /// - Complexity: O(number of columns).
    public func index(of name: String) -> Int? {
        names.firstIndex { $0.utf8.elementsEqual(name.utf8) }
    }
}
