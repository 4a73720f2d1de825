import type { Cipher } from '../../src/kit/cipher.ts'

/** The destinations of the seeds have no secrets. */
export const plainCipher: Cipher = { seal: text => text, open: sealed => sealed }
