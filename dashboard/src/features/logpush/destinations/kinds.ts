import { type DestinationKind, makeDestination, maskedValues, readDestination, type Values } from './kind.ts'
import { manifest, objectStores } from './object-stores.ts'
import { receivers } from './receivers.ts'

const local: readonly DestinationKind[] = [
  {
    id: 'file',
    title: 'Files',
    about: 'A directory on the delivering server',
    template: 'file:{path}',
    plain: true,
    fields: [
      {
        name: 'path',
        label: 'Directory',
        at: 'address',
        required: true,
        value: './logs/{DATE}',
        help: './path is relative to the base directory: exports in the data directory, or SLUICE_DESTINATION_DIRECTORY. /absolute/path must be inside it. {DATE} becomes the UTC day, {HOUR} the hour.',
        pattern: /^(?:\/|\.\/)[^?#]*$/,
        otherwise: 'Must begin with / or ./ and not contain ? or #',
      },
      { ...manifest, label: 'Hourly manifest' },
    ],
  },
  {
    id: 'stdout',
    title: 'Standard output',
    about: 'Output of the delivering process, for containers with log collection',
    template: 'stdout://',
    fields: [],
  },
]

/** Free text, for destinations without a form. */
const other: DestinationKind = {
  id: 'other',
  title: 'Custom',
  about: 'Enter a destination_conf',
  template: '{conf}',
  plain: true,
  fields: [
    {
      name: 'conf',
      label: 'destination_conf',
      at: 'address',
      required: true,
      secret: true,
      placeholder: 'scheme://…',
      pattern: /^[a-z0-9]+:/,
      otherwise: 'Must begin with a scheme, such as s3://',
    },
  ],
  needsOwnership: ({ conf = '' }) => lacksCredentials(conf.trim()),
}

/** Of the schemes that the API knows, these carry no credentials and so do not prove ownership. */
function lacksCredentials(conf: string): boolean {
  const [address = '', query] = conf.split('?', 2)
  if (/^(?:gs|sumo):\/\//.test(address)) return true
  return /^s3:\/\//.test(address) && !new URLSearchParams(query).has('access-key-id')
}

/** All kinds with a form, in display order. */
export const destinationKinds: readonly DestinationKind[] = [...objectStores, ...receivers, ...local, other]

export function kindById(id: string): DestinationKind {
  return destinationKinds.find(kind => kind.id === id) ?? other
}

/** The form that represents a `destination_conf`, with its values. */
export function formOf(conf: string): { readonly kind: DestinationKind; readonly values: Values } {
  for (const kind of destinationKinds) {
    if (kind === other) break
    const values = readConf(kind, conf)
    if (values !== undefined) return { kind, values }
  }
  return { kind: other, values: { conf } }
}

/** The `destination_conf` of a filled form. */
export function confOf(kind: DestinationKind, values: Values): string {
  if (kind === other) return (values['conf'] ?? '').trim()
  if (kind.id === 'stdout') return 'stdout://'
  if (kind.id !== 'file') return makeDestination(kind, values)
  const path = (values['path'] ?? '').trim().replace(/(?<=[^/])\/+$/, '')
  const query = values['manifest'] === 'hourly' ? '?manifest=hourly' : ''
  return `${path.startsWith('./') ? 'file:' : 'file://'}${path}${query}`
}

function readConf(kind: DestinationKind, conf: string): Values | undefined {
  if (kind.id === 'stdout') return /^stdout:(?:\/\/)?$/.test(conf) ? {} : undefined
  if (kind.id !== 'file') return readDestination(kind, conf)
  const match = /^file:(?:\/\/)?(\/[^?#]*|\.\/[^?#]*)(?:\?manifest=(hourly))?$/.exec(conf)
  return match === null ? undefined : { path: match[1]!, manifest: match[2] ?? '' }
}

/** Like `confOf`, with secrets as `***`. */
export function maskedConf(kind: DestinationKind, values: Values): string {
  return kind === other
    ? `${/^[a-z0-9]*:?/.exec(values['conf'] ?? '')?.[0] ?? ''}***`
    : confOf(kind, maskedValues(kind, values))
}

/** Kind and location of a destination without credentials, for lists. */
export function shownDestination(conf: string): { readonly title: string; readonly where: string } {
  const { kind, values } = formOf(conf)
  if (kind !== other) {
    const where = maskedConf(kind, values)
      .replace(/^[a-z0-9]+:(?:\/\/)?/, '')
      .replace(/[?].*$/, '')
    return { title: kind.title, where: where.replace(/^.*@/, '') }
  }
  // For destinations without a form, and masked ones, the scheme and the host.
  const match = /^([a-z0-9]+):(?:\/\/)?(?:[^@/]*@)?([^/?]*)/.exec(conf)
  const scheme = match?.[1] ?? ''
  const known = destinationKinds.find(({ template }) => template.startsWith(`${scheme}:`))
  return { title: known?.title ?? (scheme || 'Destination'), where: match?.[2] ?? '' }
}
