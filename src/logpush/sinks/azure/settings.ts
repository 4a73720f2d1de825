import { isIP } from 'node:net'

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

/**
 * Whether the account is in the path, before the container. The emulator reads addresses so, unless they have a
 * domain, as the service's and custom ones do.
 * @source Azurite, "IP-style URL" and "Production-style URL"
 */
export function hasAccountInPath(hostname: string): boolean {
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  return isAddress || !hostname.includes('.') || hostname === 'host.docker.internal'
}
