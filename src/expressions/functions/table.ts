import { collectionFunctions } from './collections.ts'
import { encodingFunctions } from './encoding.ts'
import { hmacFunctions } from './hmac.ts'
import { jsonFunctions } from './json.ts'
import { networkFunctions } from './network.ts'
import { replaceFunctions } from './replace.ts'
import type { FunctionSpec } from './spec.ts'
import { textFunctions } from './text.ts'
import { urlFunctions } from './url.ts'

/** Every function by its name. To add one, add an entry to the list of its family. */
export const functions: ReadonlyMap<string, FunctionSpec> = new Map(
  [
    ...textFunctions,
    ...urlFunctions,
    ...collectionFunctions,
    ...replaceFunctions,
    ...jsonFunctions,
    ...encodingFunctions,
    ...networkFunctions,
    ...hmacFunctions,
  ].map(spec => [spec.name, spec]),
)

/** Functions of the language that this program lacks, and why. */
export const absentFunctions: ReadonlyMap<string, string> = new Map([
  ['bit_slice', 'it reads network packets, which only packet filters see'],
  ['is_jwt_valid', 'there are no token configurations to check against'],
  ['is_jwt_present', 'there are no token configurations to check against'],
])
