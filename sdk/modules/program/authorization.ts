// The credentials of a server, from a Secret.
import type { Client } from '../../client/client.js'
import { type Secret, secrets } from '../../kube/builtin.js'
import { isNotFound } from '../../kube/error.js'
import { formatKey, type Key } from '../../kube/key.js'

/** The Secrets of service accounts have a key `token` too, which is not for other servers. */
const accountType = 'kubernetes.io/service-account-token'

/**
 * The value of the header `Authorization` that a Secret says, by its keys `username` and `password`, or `token`. The Secret may be
 * created or mended later, so no error is permanent. No message has a value of it.
 */
export async function readAuthorization(
  { namespace, name }: Key,
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
): Promise<string> {
  const secret = await client.get(secrets, { namespace, name }, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    throw new Error(`Secret ${formatKey({ namespace, name })} does not exist; create it`)
  })
  if (secret.type === accountType)
    throw new Error(
      `Secret ${formatKey({ namespace, name })} is the token of a service account: use another one`,
    )
  const [username, password, token] = ['username', 'password', 'token'].map((key) => textOf(secret, key))
  if (username && password) return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  if (token) return `Bearer ${token}`
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
