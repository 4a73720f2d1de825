import { createHash } from 'node:crypto'
import type { Reach } from '../../model/settings/index.ts'
import type { AddressPolicy } from '../../outgoing/index.ts'
import type { CrsBundle } from '../bundle.ts'
import { CrsError } from '../crs-error.ts'
import { crsLimits } from '../limits.ts'
import { readArchive } from './archive.ts'
import { download } from './download.ts'
import { verifySignature } from './signature.ts'

/** Where the CRS project publishes, and the key it signs with. */
export interface Upstream {
  /** Answers with a list of releases as GitHub's API does. */
  readonly releasesUrl: string
  readonly keyUrl: string
  /** 40 hex digits. */
  readonly fingerprint: string
  /** Where releases may be downloaded from, redirects included. */
  readonly addresses: AddressPolicy
}

/** @source coreruleset.org: installation guide, "Verifying releases" */
export const coreRuleSetProject = (reach: Reach): Upstream => ({
  releasesUrl: 'https://api.github.com/repos/coreruleset/coreruleset/releases?per_page=30',
  keyUrl: 'https://coreruleset.org/security.asc',
  fingerprint: '36006F0E0BA167832158821138EEACA1AB8A6E72',
  addresses: { reach, setting: 'SLUICE_DESTINATIONS' },
})

/**
 * Fetches the newest stable 4.x release and checks it against its published checksum, if there is one, and the
 * project's signature.
 * @param report receives progress, one line at a time
 * @throws CrsError `download-failed`, `too-large`, `not-authentic`, `not-a-release`
 */
export async function fetchNewestRelease(
  upstream: Upstream,
  report: (text: string) => void,
): Promise<CrsBundle> {
  report(`asking ${new URL(upstream.releasesUrl).host} for the newest OWASP CRS release`)
  const release = newestRelease(await releaseList(upstream))
  if (release === undefined) {
    throw new CrsError('download-failed', `${upstream.releasesUrl} lists no signed 4.x release`)
  }
  const what = `OWASP CRS ${release.version}`
  report(`downloading ${what}`)
  const archive = await download(release.archiveUrl, crsLimits.archiveBytesMax, upstream.addresses)
  checkDigest(archive, release, what)
  const signature = await download(release.signatureUrl, crsLimits.signatureBytesMax, upstream.addresses)
  const keys = await download(upstream.keyUrl, crsLimits.signatureBytesMax, upstream.addresses)
  await verifySignature(archive, what, {
    armoredKeys: keys.toString('utf8'),
    armoredSignature: signature.toString('utf8'),
    fingerprint: upstream.fingerprint,
  })
  const bundle = await readArchive(archive, `upstream release ${release.version}`)
  if (bundle.crsVersion !== release.version) {
    throw new CrsError('not-authentic', `${what} holds version ${bundle.crsVersion}`)
  }
  report(`${what}: signature is good`)
  return bundle
}

/**
 * Version of the newest stable 4.x release, such as `4.28.0`.
 * @throws CrsError `download-failed`, `too-large`
 */
export async function newestUpstreamVersion(upstream: Upstream): Promise<string> {
  const release = newestRelease(await releaseList(upstream))
  if (release !== undefined) return release.version
  throw new CrsError('download-failed', `${upstream.releasesUrl} lists no signed 4.x release`)
}

async function releaseList({ releasesUrl: url, addresses }: Upstream): Promise<unknown> {
  const text = (await download(url, crsLimits.releaseListBytesMax, addresses)).toString('utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CrsError('download-failed', `${url} did not answer with JSON`, { cause: error })
  }
}

interface PublishedRelease {
  readonly version: string
  readonly archiveUrl: string
  readonly signatureUrl: string
  /** `sha256:` and hex digits, when published. */
  readonly digest: unknown
}

function newestRelease(list: unknown): PublishedRelease | undefined {
  let newest: PublishedRelease | undefined
  for (const entry of Array.isArray(list) ? list : []) {
    const release = publishedRelease(entry)
    if (release !== undefined && (newest === undefined || isNewerRelease(release.version, newest.version)))
      newest = release
  }
  return newest
}

/** Undefined for drafts, previews, other lines than 4.x, and releases without a signed archive. */
function publishedRelease(entry: unknown): PublishedRelease | undefined {
  const { tag_name, draft, prerelease, assets } = (entry ?? {}) as Record<string, unknown>
  const version = /^v(4\.[0-9]{1,6}\.[0-9]{1,6})$/.exec(String(tag_name))?.[1]
  if (version === undefined || draft === true || prerelease === true || !Array.isArray(assets))
    return undefined
  const archiveName = `coreruleset-${version}-minimal.tar.gz`
  const archive = assets.find(asset => asset?.name === archiveName)
  const signature = assets.find(asset => asset?.name === `${archiveName}.asc`)
  if (archive === undefined || signature === undefined) return undefined
  return {
    version,
    archiveUrl: String(archive.browser_download_url),
    signatureUrl: String(signature.browser_download_url),
    digest: archive.digest,
  }
}

/** Whether a version such as `4.10.0` is newer than another. */
export function isNewerRelease(a: string, b: string): boolean {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)]
  const differing = left.findIndex((number, i) => number !== right[i])
  return differing !== -1 && left[differing]! > right[differing]!
}

function checkDigest(archive: Buffer, release: PublishedRelease, what: string): void {
  if (typeof release.digest !== 'string' || !release.digest.startsWith('sha256:')) return
  const actual = `sha256:${createHash('sha256').update(archive).digest('hex')}`
  if (actual === release.digest.toLowerCase()) return
  throw new CrsError('not-authentic', `${what} does not have its published checksum (${release.digest})`)
}
