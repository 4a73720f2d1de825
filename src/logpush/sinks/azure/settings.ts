/** The content of an `azure://` destination. */
export interface AzureSettings {
  /** `https://account.blob.core.windows.net` */
  readonly origin: string
  /** Encoded, with a slash before it. */
  readonly container: string
  /** The name that people know. */
  readonly containerName: string
  /** Shared access signature, verbatim. */
  readonly signature: string
}
