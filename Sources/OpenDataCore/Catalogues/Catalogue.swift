/// A portal that lists data sets of many publishers, any of which can be fetched by its name there.
///
/// `odctl fetch datagovtw:40448` asks the catalogue with the prefix `datagovtw` for the data set `40448`, and takes
/// the records of one of its resources as they are published. A portal is one file and one line, as a connector is.
public protocol Catalogue: Sendable {
    /// What stands before the colon in the ids of its data sets, such as `datagovtw`.
    var prefix: String { get }

    /// The portal's name.
    var title: String { get }

    /// What stands behind the colon, in words with an example: `a number, as in datagovtw:40448`.
    var referenceHelp: String { get }

    /// How the portal wants to be treated.
    var hosts: [HostPolicy] { get }

    /// The request for what the portal says of a data set.
    ///
    /// - Parameter reference: What stands behind the colon.
    /// Throws ``OpenDataError/Code/badArgument`` for a reference that cannot be one.
    func request(_ reference: String) throws(OpenDataError) -> Request

    /// Reads the portal's answer to that request.
    ///
    /// Throws ``OpenDataError/Code/notFound`` where the portal says that there is no such data set, and
    /// ``OpenDataError/Code/schemaChanged`` for an answer that is not what it was.
    func entry(_ reference: String, from body: [UInt8]) throws(OpenDataError) -> CatalogueEntry

    /// The data source whose records are the data sets of the portal, all of them or those that may match the words.
    ///
    /// Its fields are those of ``Schema/catalogue``, or some of them.
    /// - Parameter reference: What stands behind the colon of `--catalogue`, for prefixes that many portals share; else
    ///   "".
    func listing(_ reference: String, words: [String]) throws(OpenDataError) -> any DataSource
}
