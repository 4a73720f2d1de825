import { AuthenticationError, type SASLOptions, saslScramSha } from '@platformatic/kafka'
import { destinationLimits } from '../limits.ts'

type Authenticator = NonNullable<SASLOptions['authenticate']>
type AuthenticateApi = Parameters<Authenticator>[2]

/**
 * SCRAM by the client's own code. That code throws an uncatchable error when a broker sends an invalid message, so
 * such an answer ends the exchange first.
 * @source RFC 5802, 7
 */
export const authenticateByScram: Authenticator = (
  mechanism,
  connection,
  authenticate,
  username,
  password,
  _token,
  callback,
) => {
  let answers = 0
  const checked = ((to, message, answered) =>
    authenticate(to, message, (error, answer) => {
      answers++
      if (error === null && !isMessage(answer!.authBytes.toString('utf8'), answers))
        callback(new AuthenticationError('The broker breaks the rules of SCRAM.'), undefined as never)
      else answered!(error, answer!)
    })) as AuthenticateApi
  const algorithm = mechanism.slice('SCRAM-'.length) as saslScramSha.ScramAlgorithm
  saslScramSha.authenticate(
    checked,
    connection,
    algorithm,
    username!,
    password!,
    saslScramSha.defaultCrypto,
    callback,
  )
}

function isMessage(text: string, answer: number): boolean {
  if (answer > 1) return /^(?:v=[A-Za-z0-9+/]+=*|e=[^,=]+)$/.test(text)
  const iterations = /^r=[^,=]+(?:=[^,]*)?,s=[A-Za-z0-9+/]+=*,i=(\d{1,9})$/.exec(text)?.[1]
  return iterations !== undefined && Number(iterations) <= destinationLimits.kafkaIterationsMax
}
