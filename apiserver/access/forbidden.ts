import type { ApiError, StatusDetails } from '../../sdk/engine/kube/error.js'
import { formatResource } from '../../sdk/engine/kube/resource.js'
import { failure } from '../request/status.js'
import { type Attributes, isPath, type ResourceAttributes } from './attributes.js'

/** 403 for a request that the authorizer did not allow; `reason` is the authorizer's, and may be `''`. */
export function notAuthorizedError(attributes: Attributes, reason: string): ApiError {
  const why = reason === '' ? '' : `: ${reason}`
  if (isPath(attributes)) {
    const { user, verb, path } = attributes
    const message = `forbidden: User ${quoteForHtml(user.name)} cannot ${verb} path ${quoteForHtml(path)}${why}`
    return failure(403, message, { reason: 'Forbidden', details: {} })
  }
  const { group, resource, name } = attributes
  const subject =
    formatResource({ group, plural: resource }) + (name === '' ? '' : ` ${JSON.stringify(name)}`)
  const message = `${subject} is forbidden: ${sentence(attributes)}${why}`
  return failure(403, message, { reason: 'Forbidden', details: detailsOf(attributes) })
}

function sentence({ user, verb, group, resource, subresource, namespace }: ResourceAttributes): string {
  const resourcePath = subresource === '' ? resource : `${resource}/${subresource}`
  const scopeText = namespace === '' ? 'at the cluster scope' : `in the namespace ${quoteForHtml(namespace)}`
  return `User ${quoteForHtml(user.name)} cannot ${verb} resource ${quoteForHtml(resourcePath)} in API group ${quoteForHtml(group)} ${scopeText}`
}

/** Escapes characters that a browser could read as HTML, as a real server does. */
function quoteForHtml(text: string): string {
  return JSON.stringify(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

function detailsOf({ group, resource, name }: ResourceAttributes): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    ...(resource === '' ? {} : { kind: resource }),
  }
}
