import { textAt } from '../base/object.js'
import { forbidden } from '../request/status.js'
import type { AdmissionPlugin } from './plugin.js'
import { organizationsOf } from './request-subject.js'

const SIGNER = 'kubernetes.io/kube-apiserver-client'
const MASTERS = 'system:masters'

/** `CertificateSubjectRestriction`: client certificates of the group that may do everything are refused. */
export const certificateSubject: AdmissionPlugin = {
  storages: ['certificatesigningrequests.certificates.k8s.io'],
  validate({ request: { resource, target }, operation, object }) {
    if (operation !== 'CREATE' || target.subresource !== '') return
    if (textAt(object, 'spec', 'signerName') !== SIGNER) return
    if (!organizationsOf(textAt(object, 'spec', 'request')).includes(MASTERS)) return
    const why = `use of ${SIGNER} signer with ${MASTERS} group is not allowed`
    throw forbidden(resource, object.metadata.name ?? '', why)
  },
}
