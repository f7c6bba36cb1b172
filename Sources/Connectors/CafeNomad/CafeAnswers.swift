public import OpenDataCore

/// Whether a cafe limits how long one may stay.
///
/// Values that are not known here are kept as they came.
public struct LimitedTime: RawRepresentable, Sendable, Hashable, CellDecodable {
    /// The answer as published.
    public let rawValue: String

    /// Makes an answer from its published form.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Always limited.
    public static let yes = LimitedTime(rawValue: "yes")
    /// Never limited.
    public static let no = LimitedTime(rawValue: "no")
    /// Limited at times, such as on holidays or when the cafe is full.
    public static let maybe = LimitedTime(rawValue: "maybe")
    /// Nobody has answered: the published value is the empty text, which does not mean "no limit".
    public static let unstated = LimitedTime(rawValue: "")
}

/// Whether a cafe has power sockets for its guests.
///
/// Values that are not known here are kept as they came.
public struct Socket: RawRepresentable, Sendable, Hashable, CellDecodable {
    /// The answer as published.
    public let rawValue: String

    /// Makes an answer from its published form.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// At many seats.
    public static let yes = Socket(rawValue: "yes")
    /// At none.
    public static let no = Socket(rawValue: "no")
    /// At some seats.
    public static let maybe = Socket(rawValue: "maybe")
    /// Nobody has answered: the published value is the empty text.
    public static let unstated = Socket(rawValue: "")
}

/// Whether one can work standing in a cafe.
///
/// Values that are not known here are kept as they came.
public struct StandingDesk: RawRepresentable, Sendable, Hashable, CellDecodable {
    /// The answer as published.
    public let rawValue: String

    /// Makes an answer from its published form.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There are desks to stand at.
    public static let yes = StandingDesk(rawValue: "yes")
    /// There are none.
    public static let no = StandingDesk(rawValue: "no")
    /// Some of the desks may do.
    public static let maybe = StandingDesk(rawValue: "maybe")
    /// Nobody has answered: the published value is the empty text.
    public static let unstated = StandingDesk(rawValue: "")
}
