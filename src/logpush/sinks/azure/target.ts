import type { Checked } from '../../../model/problem.ts'
import { accept } from '../../problems.ts'
import { badDestination, decodedFolder } from '../destination-text.ts'
import type { SinkKind, Target } from '../sink.ts'

/** What an `azure://` destination says. */
export interface AzureSettings {
  /** `https://account.blob.core.windows.net` */
  readonly origin: string
  /** Encoded, with a slash before it. */
  readonly container: string
  /** Shared access signature, as it stands. */
  readonly signature: string
}

/**
 * The SAS address of a container with `https` replaced by `azure`, and a folder before the question mark:
 * `azure://ACCOUNT.blob.core.windows.net/CONTAINER/FOLDER?SAS`.
 * @source Cloudflare, "Enable Logpush to Microsoft Azure"
 */
export const azureSink: SinkKind = {
  scheme: 'azure',
  parse(destinationConf): Checked<Target> {
    const text = destinationConf.replace(/^azure:/, 'https:')
    if (!URL.canParse(text)) return badDestination(`it has the form ${form}`)
    const { origin, pathname, search, searchParams, hash } = new URL(text)
    const [, container, ...folder] = pathname.split('/')
    if (!container || hash !== '') return badDestination(`it has the form ${form}`)
    const problem = signatureProblem(searchParams)
    if (problem !== undefined) return badDestination(problem)
    return accept({
      // The signature is a credential of its own.
      needsOwnership: false,
      folder: decodedFolder(folder.join('/')),
      open: async reach => {
        const { openAzure } = await import('./deliver.ts')
        return openAzure({ origin, container: `/${container}`, signature: search.slice(1) }, reach)
      },
    })
  },
}

const form = 'azure://ACCOUNT.blob.core.windows.net/CONTAINER/FOLDER?SAS'

/** An account SAS has `ss` and `srt`, one of a container `sr`. */
function signatureProblem(query: URLSearchParams): string | undefined {
  if (!query.get('sig') || !query.get('sv')) return 'it needs a shared access signature (sv=…&sp=…&sig=…)'
  if (query.has('srt') && query.get('srt') !== 'o') return 'signedResourceTypes must be Object only (srt=o)'
  if (query.has('ss') && !query.get('ss')!.includes('b'))
    return 'the signature is not for the blob service (ss=b)'
  if (!/[wc]/.test(query.get('sp') ?? '')) return 'the signature gives no permission to write (sp=w)'
  const end = Date.parse(query.get('se') ?? '')
  if (end < Date.now()) return `the signature has run out on ${query.get('se')}`
  return undefined
}
