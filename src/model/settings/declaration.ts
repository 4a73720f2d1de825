/** An address that a server listens on. */
export interface Listen {
  /** Without brackets for IPv6. */
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
}

/** A unix socket that a server listens on. */
export interface UnixListen {
  readonly path: string
  /** Permissions of its file. */
  readonly mode: number
}

/** An address of the edge. */
export type EdgeListen<Address extends Listen | UnixListen = Listen | UnixListen> = Address & {
  /** Each connection begins with a header of the PROXY protocol. */
  readonly proxyProtocol: boolean
}

/** `inspect` evaluates requests that other proxies serve. */
export type Role = 'control' | 'edge' | 'delivery' | 'inspect'

/** The declaration of one setting, from which the checker, `--help` and docs/reference/settings.md are made. */
export interface DeclarationOf<Key extends string> {
  readonly key: Key
  /** Environment variable. The flag is the rest of it: `SLUICE_API_LISTEN` → `--api-listen`. */
  readonly variable: string
  readonly help: string
  /** The allowed values, in words. */
  readonly allowed: string
  /** In its written form; undefined when there is none. */
  readonly default: string | undefined
  /** Variable of another setting that has to be set too. */
  readonly needs?: string
  /** @returns undefined when the text is not allowed */
  readonly parse: (text: string) => unknown
}
