import type { ApiError } from '../../sdk/engine/kube/error.js'
import { isTrueParameter } from './query.js'
import type { RequestInfo } from './request-info.js'
import { badRequest, methodNotAllowed } from './status.js'

/** The verbs of RBAC for resources. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection'

/** A resource that a CustomResourceDefinition may define; `custom` is then set. */
interface CustomOrBuiltIn {
  readonly custom?: unknown
}

/** The parts of a request that decide its verb together with the method. */
type VerbFacts = Pick<RequestInfo, 'query' | 'isWatchPath'> &
  Required<Pick<RequestInfo, 'target'>> & { readonly resource?: CustomOrBuiltIn }

/** The verb of a request, as authorization and audit name it. Throws 405. */
export function verbOf(method: string, { target, query, isWatchPath, resource }: VerbFacts): Verb {
  const isObject = target.name !== ''
  switch (method) {
    case 'GET':
      // A GET of one object is a watch only at the deprecated paths below /watch/.
      if (isWatchPath === true) return 'watch'
      if (isObject) return 'get'
      return isTrueParameter(query.get('watch')) ? 'watch' : 'list'
    case 'POST':
      return 'create'
    case 'PUT':
      if (isObject) return 'update'
      throw missingNameError(resource)
    case 'PATCH':
      if (isObject) return 'patch'
      throw missingNameError(resource)
    case 'DELETE':
      return isObject ? 'delete' : 'deletecollection'
    default:
      throw methodNotAllowed()
  }
}

/** The error for a method that needs a name: 405 for built-in resources, 400 for custom resources. */
function missingNameError(resource: CustomOrBuiltIn | undefined): ApiError {
  return resource?.custom === undefined ? methodNotAllowed() : badRequest('name must be provided')
}
