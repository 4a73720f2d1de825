import { type DestinationKind, makeDestination, maskedValues, readDestination, type Values } from './kind.ts'
import { manifest, objectStores } from './object-stores.ts'
import { receivers } from './receivers.ts'

const local: readonly DestinationKind[] = [
  {
    id: 'file',
    title: 'Files',
    about: 'A directory of the machine that delivers',
    template: 'file:{path}',
    plain: true,
    fields: [
      {
        name: 'path',
        label: 'Directory',
        at: 'address',
        required: true,
        value: './data/logs/{DATE}',
        help: '/absolute/path, or ./path below the directory in which Sluice was started. {DATE} becomes the UTC day, {HOUR} the hour.',
        pattern: /^(?:\/|\.\/)[^?#]*$/,
        otherwise: 'Begin with / or ./, without ? and #',
      },
      { ...manifest, label: 'List of each hour’s files' },
    ],
  },
  {
    id: 'stdout',
    title: 'Standard output',
    about: 'Of the process that delivers, for containers whose output is collected',
    template: 'stdout://',
    fields: [],
  },
]

/** Any text: for what no form can say. */
const other: DestinationKind = {
  id: 'other',
  title: 'Something else',
  about: 'Write the destination_conf yourself',
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
      otherwise: 'It begins with a scheme, such as s3://',
    },
  ],
  needsOwnership: ({ conf = '' }) => lacksCredentials(conf.trim()),
}

/** As the API sees it: of the schemes that it knows, these name a place and nobody who may write there. */
function lacksCredentials(conf: string): boolean {
  const [address = '', query] = conf.split('?', 2)
  if (/^(?:gs|sumo):\/\//.test(address)) return true
  return /^s3:\/\//.test(address) && !new URLSearchParams(query).has('access-key-id')
}

/** Every kind that has a form, in the order in which they are offered. */
export const destinationKinds: readonly DestinationKind[] = [...objectStores, ...receivers, ...local, other]

export function kindById(id: string): DestinationKind {
  return destinationKinds.find(kind => kind.id === id) ?? other
}

/** The form that can say a `destination_conf`, and its answers. */
export function formOf(conf: string): { readonly kind: DestinationKind; readonly values: Values } {
  for (const kind of destinationKinds) {
    if (kind === other) break
    const values = readConf(kind, conf)
    if (values !== undefined) return { kind, values }
  }
  return { kind: other, values: { conf } }
}

/** The `destination_conf` that a form says. */
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

/** Like `confOf`, with `***` in place of secrets. */
export function maskedConf(kind: DestinationKind, values: Values): string {
  return kind === other
    ? `${/^[a-z0-9]*:?/.exec(values['conf'] ?? '')?.[0] ?? ''}***`
    : confOf(kind, maskedValues(kind, values))
}

/** A destination for lists: what it is and where, without credentials. */
export function shownDestination(conf: string): { readonly title: string; readonly where: string } {
  const { kind, values } = formOf(conf)
  if (kind !== other) {
    const where = maskedConf(kind, values)
      .replace(/^[a-z0-9]+:(?:\/\/)?/, '')
      .replace(/[?].*$/, '')
    return { title: kind.title, where: where.replace(/^.*@/, '') }
  }
  // Of what no form can say, or what the API has masked, the scheme and the host.
  const match = /^([a-z0-9]+):(?:\/\/)?(?:[^@/]*@)?([^/?]*)/.exec(conf)
  const scheme = match?.[1] ?? ''
  const known = destinationKinds.find(({ template }) => template.startsWith(`${scheme}:`))
  return { title: known?.title ?? (scheme || 'Destination'), where: match?.[2] ?? '' }
}
