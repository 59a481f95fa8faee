/** The values of a kubeconfig. */
export interface KubeconfigOptions {
  /** The cluster's and the context's name. */
  readonly name: string
  readonly url: string
  readonly user: string
  /** The authority's certificate, PEM. */
  readonly authority: string
  /** The user's credentials: a client certificate or a bearer token. */
  readonly credentials: { readonly certificate: string; readonly key: string } | { readonly token: string }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A kubeconfig (YAML, everything inline) with one cluster, one user and one context. */
export function writeKubeconfig({ name, url, user, authority, credentials }: KubeconfigOptions): string {
  const loopbackUser =
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
    ...loopbackUser,
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
