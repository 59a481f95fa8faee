import { methodsOf } from '../../../engine/grpc/service.js'
import { VClusterDefinition } from '../proto/gen/v1.js'

/** The methods that a vcluster process serves for its sidecars. */
export const vclusterMethods = methodsOf(VClusterDefinition)
