/**
 * Content of the owner that custom error rules serve by its name. It was fetched when it was written, so that the edge
 * fetches nothing to answer a request.
 */
export interface CustomAsset {
  /** Letters, digits and underscores; unique among those of its account or zone. */
  readonly name: string
  readonly description: string
  readonly url: string
  /** Its media type, in lower case, without parameters. */
  readonly contentType: string
  /** With its tokens. */
  readonly content: string
  readonly lastUpdated: string
}
