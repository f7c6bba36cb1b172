import Foundation

/// A value that several threads of a test share behind a lock.
public final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    /// Starts with a value.
    public init(_ value: Value) { self.value = value }

    /// The value now.
    public var current: Value { with { $0 } }

    /// Puts another value in its place and returns the one before.
    public func replace(with new: Value) -> Value {
        with { value in
            defer { value = new }
            return value
        }
    }

    /// Runs `body` with the value to itself.
    public func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

extension Guarded<Int> {
    /// Adds one and returns the sum.
    @discardableResult
    public func increment() -> Int {
        with { value in
            value += 1
            return value
        }
    }
}
