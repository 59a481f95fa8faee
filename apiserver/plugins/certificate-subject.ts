import { textAt } from '../base/object.js'
import { forbidden } from '../request/status.js'
import type { AdmissionPlugin } from './plugin.js'
import { organizationsOf } from './request-subject.js'

const signer = 'kubernetes.io/kube-apiserver-client'
const masters = 'system:masters'

/** `CertificateSubjectRestriction`: rejects client certificates of the group `system:masters`. */
export const certificateSubject: AdmissionPlugin = {
  storages: ['certificatesigningrequests.certificates.k8s.io'],
  validate({ request: { resource, target }, operation, object }) {
    if (operation !== 'CREATE' || target.subresource !== '') return
    if (textAt(object, 'spec', 'signerName') !== signer) return
    if (!organizationsOf(textAt(object, 'spec', 'request')).includes(masters)) return
    const why = `use of ${signer} signer with ${masters} group is not allowed`
    throw forbidden(resource, object.metadata.name ?? '', why)
  },
}
