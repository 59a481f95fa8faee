// The credentials of a server, from a Secret.
import type { Client } from '../../engine/client/client.js'
import { type Secret, secrets } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import { formatKey, type Key } from '../../engine/kube/key.js'

/** The Secrets of service accounts have a key `token` too, which is not for other servers. */
const accountType = 'kubernetes.io/service-account-token'

/** The credentials in a Secret: a user with a password, or a token. */
export interface SecretCredentials {
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly token?: string | undefined
}

/** The calls to the cluster with a Secret. */
interface SecretCalls {
  readonly client: Client
  readonly signal: AbortSignal
}

/** The value of the header `Authorization` for the credentials in a Secret, see {@link readCredentials}. */
export async function readAuthorization(secret: Key, calls: SecretCalls): Promise<string> {
  const { username, password, token } = await readCredentials(secret, calls)
  return username && password ? basicHeader(username, password) : `Bearer ${token}`
}

/** The user that servers of git and of tokens take with a token if the Secret names none. */
const userOfToken = 'x-access-token'

/** The value of the header `Authorization` for a server that takes a token as a password. */
export function basicAuthorization({ username = userOfToken, password, token }: SecretCredentials): string {
  return basicHeader(username, password ?? token ?? '')
}

const basicHeader = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/**
 * The credentials in a Secret, by its keys `username` and `password`, or `token`. The Secret may be created or
 * corrected later, so no error is permanent. No message contains its values.
 */
export async function readCredentials(
  { namespace, name }: Key,
  { client, signal }: SecretCalls,
): Promise<SecretCredentials> {
  const secret = await client.get(secrets, { namespace, name }, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    throw new Error(`Secret ${formatKey({ namespace, name })} does not exist; create it`)
  })
  if (secret.type === accountType)
    throw new Error(
      `Secret ${formatKey({ namespace, name })} is the token of a service account: use another one`,
    )
  const [username, password, token] = ['username', 'password', 'token'].map((key) => textOf(secret, key))
  if (token || (username && password)) return { username, password, token }
  throw new Error(`Secret ${formatKey({ namespace, name })} needs the keys username and password, or token`)
}

/** Files often end with a line break, which a header must not have. */
function textOf({ data = {} }: Secret, key: string): string | undefined {
  const encoded = Object.hasOwn(data, key) ? data[key] : undefined
  return (
    encoded &&
    Buffer.from(encoded, 'base64')
      .toString('utf8')
      .replace(/\r?\n$/, '')
  )
}
