import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { crsMissing, crsProgram } from '../testing/crs.ts'
import { outcomeOf, type Random, randomFrom } from '../testing/outcomes.ts'
import { randomRequest } from '../testing/random-requests.ts'
import { program, type TestRequest } from '../testing/requests.ts'

/** A body in many parts equals the body in one. */

const shown =
  `%{ARGS_COMBINED_SIZE} %{REQUEST_BODY_LENGTH} %{REQBODY_ERROR} %{REQBODY_ERROR_MSG} %{FILES_COMBINED_SIZE}
  %{MULTIPART_STRICT_ERROR} %{MULTIPART_UNMATCHED_BOUNDARY} %{INBOUND_DATA_ERROR}`.replaceAll(/\s+/g, ' ')

const listing = program(`
  SecRule REQUEST_HEADERS:Content-Type "@contains xml" "id:1,phase:1,nolog,ctl:requestBodyProcessor=XML"
  SecRule REQUEST_HEADERS:Content-Type "@contains json" "id:2,phase:1,nolog,ctl:requestBodyProcessor=JSON"
  SecRule REQUEST_HEADERS:Content-Type "@contains text/plain" "id:3,phase:1,nolog,ctl:forceRequestBodyVariable=On"
  SecRule ARGS|REQUEST_BODY|FILES|FILES_SIZES|MULTIPART_PART_HEADERS|XML:/*|XML://@* "@unconditionalMatch" \\
    "id:4,phase:2,nolog,setvar:'tx.seen=%{tx.seen}[%{MATCHED_VAR_NAME}=%{MATCHED_VAR}]'"
  SecAction "id:5,phase:2,msg:'%{tx.seen} ${shown}'"`)

function cutsOf({ body = '' }: TestRequest, random: Random): number[] {
  if (random(4) === 0) return Array.from(body, (_, at) => at)
  return Array.from({ length: random(8) }, () => random(body.length + 1))
}

describe('a body in parts and in one: the same', () => {
  it('all variables', () => {
    const random = randomFrom(61)
    for (let round = 0; round < shareOf(1500); round++) {
      const request = randomRequest(random)
      const cuts = cutsOf(request, random)
      assert.deepEqual(
        outcomeOf(listing, request, { cuts }),
        outcomeOf(listing, request),
        JSON.stringify({ request, cuts }),
      )
    }
  })

  it('CRS 4.28.0', { skip: crsMissing }, () => {
    const rules = crsProgram('4.28.0', { engine: 'DetectionOnly' })
    const random = randomFrom(62)
    for (let round = 0; round < shareOf(1000); round++) {
      const request = randomRequest(random)
      const cuts = cutsOf(request, random)
      assert.deepEqual(
        outcomeOf(rules, request, { cuts }),
        outcomeOf(rules, request),
        JSON.stringify({ request, cuts }),
      )
    }
  })
})
