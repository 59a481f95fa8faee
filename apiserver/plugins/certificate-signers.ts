import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { recordOf, textAt } from '../base/object.js'
import { forbidden } from '../request/status.js'
import type { AdmissionPlugin, PluginWrite } from './plugin.js'

/**
 * `CertificateApproval` and `CertificateSigning`: a user who approves, denies or signs a certificate request must be
 * allowed to do so for its signer.
 */
export const certificateSigners: AdmissionPlugin = {
  storages: ['certificatesigningrequests.certificates.k8s.io'],
  validate(write) {
    const verb = verbOf(write)
    // A write cannot change the signer; the stored one counts.
    const signer = textAt(write.old, 'spec', 'signerName')
    if (verb === undefined || isAllowed(write, verb, signer)) return
    const { resource, target } = write.request
    const why = `user not permitted to ${verb} requests with signerName ${JSON.stringify(signer)}`
    throw forbidden(resource, target.name, why)
  },
}

/** The verb on the signer that a write needs; undefined if it needs none. */
function verbOf({ request: { target }, object, old }: PluginWrite): 'approve' | 'sign' | undefined {
  if (old === undefined) return undefined
  if (target.subresource === 'approval') return 'approve'
  if (target.subresource !== 'status') return undefined
  return jsonEqual(recordOf(object.status), recordOf(old.status)) ? undefined : 'sign'
}

/** Whether the user has the verb for the signer, by its name or by the wildcard for all signers of its domain. */
function isAllowed({ request: { server, user } }: PluginWrite, verb: string, signer: string): boolean {
  const [domain = ''] = signer.split('/')
  const attributes = { user, verb, group: 'certificates.k8s.io', resource: 'signers' }
  return [signer, `${domain}/*`].some(
    (name) => server.authorizer.authorize({ ...attributes, subresource: '', namespace: '', name }).allowed,
  )
}
