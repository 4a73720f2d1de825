/** @param names for TLS 1.2; TLS 1.3 always has all its ciphers. @returns OpenSSL's form of a list */
export function cipherList(names: readonly string[]): string {
  return [...tls13Ciphers, ...names].join(':')
}

const tls13Ciphers = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']
