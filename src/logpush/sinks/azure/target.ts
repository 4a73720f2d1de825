import type { Checked } from '../../../model/problem.ts'
import { accept } from '../../problems.ts'
import { badDestination, badManifest, decodedFolder, manifestOf } from '../destination-text.ts'
import { maskedText } from '../secrets.ts'
import { SinkError, type SinkKind, type Target } from '../sink.ts'
import { type AzureSettings, hasAccountInPath } from './settings.ts'

/**
 * The SAS address of a container with `https` replaced by `azure`, and a folder before the question mark:
 * `azure://ACCOUNT.blob.core.windows.net/CONTAINER/FOLDER?SAS[&manifest=hourly]`.
 * @source Cloudflare, "Enable Logpush to Microsoft Azure"
 */
export const azureSink: SinkKind = {
  scheme: 'azure',
  parse(destinationConf): Checked<Target> {
    const text = destinationConf.replace(/^azure:/, 'https:')
    if (!/^https:\/\/[^/\\?#@\s]+\/[^/\\?#\s]/.test(text) || !URL.canParse(text))
      return badDestination(`it must have the form ${form}`)
    const { origin, hostname, pathname, search, searchParams, hash } = new URL(text)
    const [, container, ...folder] = pathname.split('/')
    if (hash !== '') return badDestination(`it must have the form ${form}`)
    const problem = signatureProblem(searchParams)
    if (problem !== undefined) return badDestination(problem)
    const manifest = manifestOf(searchParams)
    if (manifest === undefined) return badDestination(badManifest)
    const settings: AzureSettings = {
      origin,
      container: `/${container}`,
      containerName: (hasAccountInPath(hostname) ? (folder[0] ?? container) : container)!,
      signature: search
        .slice(1)
        .split('&')
        .filter(pair => !pair.startsWith('manifest='))
        .join('&'),
    }
    return accept({
      // The signature is a credential in itself.
      needsOwnership: false,
      folder: decodedFolder(folder.join('/')),
      objects: true,
      masked: maskedText(destinationConf, { parameter: name => plainParameters.includes(name), path: true }),
      manifest,
      open: async ({ reach }) => {
        const end = searchParams.get('se') ?? ''
        // A job whose signature expires is still valid, so its form is not refused.
        if (Date.parse(end) < Date.now())
          throw new SinkError('expired', 'never', `the signature expired on ${end}`, {
            step: 'authenticate',
          })
        const { openAzure } = await import('./deliver.ts')
        return openAzure(settings, reach)
      },
    })
  },
}

const form = 'azure://ACCOUNT.blob.core.windows.net/CONTAINER/FOLDER?SAS'

/** The limits of a signature that may be shown; neither the signature nor its issuer is among them. */
const plainParameters = ['se', 'sip', 'sp', 'spr', 'sr', 'srt', 'ss', 'st', 'sv', 'manifest']

/** An account SAS has `ss` and `srt`, one of a container `sr`. */
function signatureProblem(query: URLSearchParams): string | undefined {
  if (!query.get('sig') || !query.get('sv')) return 'it needs a shared access signature (sv=…&sp=…&sig=…)'
  if (query.has('srt') && query.get('srt') !== 'o') return 'signedResourceTypes must be Object only (srt=o)'
  if (query.has('ss') && !query.get('ss')!.includes('b'))
    return 'the signature is not for the blob service (ss=b)'
  return /[wc]/.test(query.get('sp') ?? '') ? undefined : 'the signature gives no permission to write (sp=w)'
}
