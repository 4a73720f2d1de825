/** How records are kept on NATS. The fields of streams apply to the streams that Sluice creates. */
export interface NatsOptions {
  /** A credentials file. */
  readonly credentials: string | undefined
  /**
   * A file with the certificate of the authority that signs the servers' certificates; with it the connection uses
   * TLS.
   */
  readonly ca: string | undefined
  /** Beginning of the streams' names: `SLUICE_RECORDS` names `SLUICE_RECORDS_1` and so on. */
  readonly stream: string
  /** Beginning of the subjects of messages. */
  readonly subject: string
  /** Number of streams; each has the records of some zones. */
  readonly partitions: number
  /** Quota of all streams together. */
  readonly bytes: number
  readonly replicas: number
  /** The cluster that keeps the streams; undefined: the one that the process is connected to. */
  readonly cluster: string | undefined
  /** Only servers with all of these tags keep the streams. */
  readonly tags: readonly string[]
  /** How long a stream remembers ids of messages. */
  readonly duplicateMs: number
  /**
   * Id of the installation, 12 hex digits: a stream that another installation created is refused. Undefined: not
   * checked.
   */
  readonly owner: string | undefined
}

export const usualOptions: NatsOptions = {
  credentials: undefined,
  ca: undefined,
  stream: 'SLUICE_RECORDS',
  subject: 'sluice.records',
  partitions: 8,
  bytes: 1024 ** 3,
  replicas: 1,
  cluster: undefined,
  tags: [],
  duplicateMs: 10 * 60_000,
  owner: undefined,
}
