import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { analyticsLimits } from './limits.ts'

/**
 * Text that records have in common, so that a block of one record is small too. Blocks can only be read with the same
 * text: a change needs another `schemaVersion`.
 */
const dictionary = Buffer.from(
  '{"zone":"","account":"","dataset":"firewall_events","fields":{"ClientASN":0,"ClientCountry":"us","ClientIP":"","ClientIPClass":"noRecord","ClientRefererHost":"","ClientRefererPath":"/","ClientRefererQuery":"","ClientRefererScheme":"https","ClientRequestHost":"www.","ClientRequestMethod":"POST","ClientRequestMethod":"GET","ClientRequestPath":"/","ClientRequestProtocol":"HTTP/1.1","ClientRequestQuery":"?","ClientRequestScheme":"https","ClientRequestScheme":"http","ClientRequestUserAgent":"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36","Datetime":"17000000","EdgeResponseStatus":403,"Kind":"firewall","OriginResponseStatus":0,"OriginatorRayID":"00","RayID":"","ZoneName":"","Action":"log","Action":"managedchallenge","Action":"block","Description":"OWASP Core Ruleset","Metadata":{"type":"customer","ruleset_id":"","ruleset_version":"1"},"Ref":"","RuleID":"","Source":"ratelimit","Source":"firewallcustom","Metadata":{"type":"managed","ruleset_id":"4814384a9e5d4991b9815dcfc25d2f1f","ruleset_version":"1","version":"1","score":25,"threshold":25,"rules":[{"id":"","ref":"930120","score":5,"total":5,"target":"REQUEST_URI"},{"id":"","ref":"941100","score":5,"total":10,"target":"REQUEST_HEADERS:User-Agent"},{"id":"","ref":"942100","score":5,"total":15,"target":"ARGS:"}]},"Ref":"","RuleID":"6179ae15870a4bb7b2d480d4843b323c","Source":"firewallmanaged","MatchIndex":0}}',
)

/** Compresses several records together: a single one is too short to compress well, and they resemble each other. */
export function packBlock(records: readonly string[]): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: 1 }
  return zstdCompressSync(records.join('\n'), { params, dictionary })
}

export function unpackBlock(data: Uint8Array): readonly string[] {
  const options = { maxOutputLength: analyticsLimits.blockBytesMax, dictionary }
  return zstdDecompressSync(data, options).toString('utf8').split('\n')
}

/** Whether a record goes into the next block. */
export function isFull(records: number, characters: number): boolean {
  return records >= analyticsLimits.blockRecords || characters >= analyticsLimits.blockCharacters
}
