/** The values of a kubeconfig. */
export interface KubeconfigOptions {
  /** The name of the cluster and of the context in the file. */
  readonly name: string
  readonly url: string
  readonly user: string
  /** The authority's certificate, PEM. */
  readonly authority: string
  /** The user's credentials: a client certificate or a bearer token. */
  readonly credentials: { readonly certificate: string; readonly key: string } | { readonly token: string }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/**
 * A kubeconfig (YAML, everything inline) with one cluster, one user and one context, for clients of the embedded
 * server.
 */
export function writeKubeconfig({ name, url, user, authority, credentials }: KubeconfigOptions): string {
  const credentialLines =
    'token' in credentials
      ? [`    token: ${quote(credentials.token)}`]
      : [
          `    client-certificate-data: ${base64(credentials.certificate)}`,
          `    client-key-data: ${base64(credentials.key)}`,
        ]
  return `${[
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `- name: ${quote(name)}`,
    '  cluster:',
    `    server: ${url}`,
    `    certificate-authority-data: ${base64(authority)}`,
    'users:',
    `- name: ${quote(user)}`,
    '  user:',
    ...credentialLines,
    'contexts:',
    `- name: ${quote(name)}`,
    '  context:',
    `    cluster: ${quote(name)}`,
    `    user: ${quote(user)}`,
    `current-context: ${quote(name)}`,
  ].join('\n')}\n`
}

/** A text as a YAML string: every JSON string is one. */
const quote = (text: string) => JSON.stringify(text)
