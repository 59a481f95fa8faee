/**
 * Services: allocation of addresses, families and node ports, cleanup when the type changes, and validation.
 * The responses are those of a cluster with only IPv4 Services. Load balancing is not implemented.
 */

import { type OpenObject, recordOf, textAt } from '../../base/object.js'
import type { KindRules, KindServices } from '../../resources/kind-rules.js'
import type { FieldError } from '../../validation/field-error.js'
import { checkLabelName } from '../../validation/names.js'
import { withAddresses } from './addresses.js'
import { withoutFieldsOfOldType } from './change-type.js'
import { withNodePorts } from './node-ports.js'
import { needsClusterIp, type ServiceSpec, setSpec, specOf } from './spec.js'
import { serviceErrors } from './validate.js'
import { changeErrors, statusErrors } from './validate-update.js'
import { annotationWarnings, serviceWarnings } from './warnings.js'

/** A Service without endpoints has no internal traffic policy; an unknown policy was rejected before. */
function withoutPolicy(spec: ServiceSpec): ServiceSpec {
  const { internalTrafficPolicy: policy, ...rest } = spec
  return policy === 'Cluster' || policy === 'Local' ? rest : spec
}

/** Allocates from the cluster's pools, or returns the errors. */
function allocate(object: OpenObject, pools: KindServices, old?: OpenObject): readonly FieldError[] {
  const before = old === undefined ? undefined : specOf(old)
  const addressed = withAddresses(specOf(object), before, pools.serviceAddresses)
  if (addressed.errors.length > 0) return addressed.errors
  const { spec, errors } = withNodePorts(addressed.spec, before, pools.nodePorts)
  setSpec(object, needsClusterIp(spec) ? spec : withoutPolicy(spec))
  return errors
}

/** https://kubernetes.io/docs/concepts/services-networking/service/ */
export const serviceRules: KindRules = {
  metadata: {
    name: checkLabelName,
    repeatedOnUpdate: 'change',
  },
  read: {
    selectableFields: {
      'spec.clusterIP': (object) => textAt(object, 'spec', 'clusterIP'),
      'spec.type': (object) => textAt(object, 'spec', 'type'),
    },
  },
  validate(object, old, subresource) {
    const spec = specOf(object)
    if (subresource === 'status') return statusErrors(object, spec)
    if (old === undefined) return serviceErrors(object, undefined)
    return [...changeErrors(spec, specOf(old)), ...serviceErrors(object, old)]
  },
  create: {
    warnings: (object) => [...annotationWarnings(object), ...serviceWarnings(specOf(object))],
    prepare: (object, pools) => allocate(object, pools),
  },
  update: {
    allowsCreate: true,
    warnings: (object) => serviceWarnings(specOf(object)),
    prepare(object, old, pools) {
      const errors = allocate(object, pools, old)
      if (errors.length > 0) return errors
      setSpec(object, withoutFieldsOfOldType(specOf(object), specOf(old)))
      const { type } = specOf(object)
      if (type !== 'LoadBalancer') object.status = { ...recordOf(object.status), loadBalancer: {} }
      return []
    },
  },
  status: {
    allowsCreate: true,
  },
  delete: {
    returnsObject: true,
  },
}
