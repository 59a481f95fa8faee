import { type OpenObject, recordOf } from '../base/object.js'
import type { ServerParts } from '../server/context.js'
import type { Entry } from '../store/entry.js'
import { deleteEntry } from '../verbs/delete.js'
import { replaceObject } from '../verbs/update.js'
import { internalRequest } from './internal-request.js'

/** The type of a Secret that holds the token of a service account. */
export const tokenSecret = 'kubernetes.io/service-account-token'

const accountNameAnnotation = 'kubernetes.io/service-account.name'
const uid = 'kubernetes.io/service-account.uid'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/**
 * Puts the token into a Secret of the type {@link tokenSecret}, or deletes the Secret if its service account does not
 * exist, as the tokens controller of kube-controller-manager does; see
 * https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets
 */
export function followTokenSecret(server: ServerParts, key: string, authority: string): void {
  const old = server.store.collection('secrets').get(key)
  if (old === undefined || (old.object as OpenObject).type !== tokenSecret) return
  const object = old.object as OpenObject
  if (object.metadata.deletionTimestamp !== undefined) return
  const { namespace = '', name = '', annotations = {} } = object.metadata
  const account = server.store
    .collection('serviceaccounts')
    .get(`${namespace}/${annotations[accountNameAnnotation]}`)?.object.metadata
  const isOfAnother = annotations[uid] !== undefined && annotations[uid] !== account?.uid
  if (account === undefined || isOfAnother) {
    removeSecret(server, old)
    return
  }
  const oldData = recordOf(object.data)
  const desired = { 'ca.crt': base64(authority), namespace: base64(namespace) }
  const data = { token: base64(server.issuer.issueForSecret(account, name)), ...oldData, ...desired }
  const metadata = { ...object.metadata, annotations: { ...annotations, [uid]: account.uid ?? '' } }
  const request = secretRequest(server, namespace, name)
  if (request === undefined) return
  replaceObject(request, { old, next: { ...object, metadata, data }, dryRun: false })
}

/** Deletes the token Secrets of a deleted service account. */
export function dropTokenSecrets(server: ServerParts, account: Entry): void {
  const { namespace = '', name = '' } = account.object.metadata
  for (const entry of [...server.store.collection('secrets').scan(`${namespace}/`)]) {
    const { type, metadata } = entry.object as OpenObject
    if (type === tokenSecret && metadata.annotations?.[accountNameAnnotation] === name)
      followTokenSecret(server, entry.key, '')
  }
}

function removeSecret(server: ServerParts, entry: Entry): void {
  const { namespace = '', name = '' } = entry.object.metadata
  const request = secretRequest(server, namespace, name)
  if (request !== undefined) deleteEntry(request, entry, { dryRun: false })
}

function secretRequest(server: ServerParts, namespace: string, name: string) {
  const resource = server.registry.find('', 'v1', 'secrets')
  return resource && internalRequest(server, { resource, namespace, name })
}
