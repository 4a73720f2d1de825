export interface Step {
  readonly name: string
  readonly done: string
  readonly failed: string
  /** Completed, with a warning. */
  readonly isDoubtful?: boolean
}

/** Steps of a delivery in order, with the API's names for failed steps. */
const steps: readonly Step[] = [
  { name: 'resolve name', done: 'Host name resolved', failed: 'Host name not found' },
  { name: 'connect', done: 'Connected', failed: 'Connection failed' },
  { name: 'TLS', done: 'TLS connection established', failed: 'TLS failed' },
  { name: 'authenticate', done: 'Credentials accepted', failed: 'Credentials rejected' },
  { name: 'write', done: 'Test written', failed: 'Write failed' },
]

/** The steps for a destination: files need no connection, and plain connections no TLS. */
export function stepsTo(conf: string): readonly Step[] {
  if (/^(?:file|stdout):/i.test(conf)) return steps.filter(({ name }) => name === 'write')
  if (!/^http:|[?&](?:tls=false(?:&|$)|endpoint=http(?::|%3a))/i.test(conf)) return steps
  return steps.map(step =>
    step.name === 'TLS' ? { ...step, done: 'Connection not encrypted', isDoubtful: true } : step,
  )
}
