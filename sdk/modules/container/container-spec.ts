import * as z from 'zod'
import { PermanentError } from '../../engine/kube/error.js'
import { issueText } from '../../engine/kube/issue-text.js'
import type { ContainersOptions } from './containers-options.js'

/** A reference to an image, without empty parts and without `..`. */
const imagePattern =
  /^[a-zA-Z0-9][a-zA-Z0-9._-]*(:[0-9]+)?(\/[a-z0-9][a-z0-9._-]*)*(:[\w][\w.-]*)?(@sha256:[0-9a-f]{64})?$/

const containerSchema = z.looseObject({
  image: z.string().max(512),
  imagePullSecrets: z.array(z.string()).default([]),
  permissions: z.array(z.string()).default([]),
})

/** The container of a Module. */
export type ContainerSpec = z.output<typeof containerSchema>

/**
 * Reads the container of a Module. Throws a `PermanentError` unless the options of the operator allow its image, its
 * permissions and its pull secrets.
 */
export function allowedContainer(spec: unknown, options: ContainersOptions): ContainerSpec {
  const { data, error } = containerSchema.safeParse(spec)
  if (error)
    throw new PermanentError(
      `the container of the Module is not valid: ${error.issues.map((issue) => `${issue.path.join('.')}: ${issueText(issue)}`).join('; ')}`,
    )
  const { allowImages, permissions = {}, imagePullSecrets = [] } = options
  if (!imagePattern.test(data.image))
    throw new PermanentError(`${JSON.stringify(data.image)} is not a reference to an image`)
  if (!allowImages.some((allowed) => matchesEntry(data.image, allowed)))
    throw new PermanentError(
      `the image ${JSON.stringify(data.image)} is not allowed: use one of containers.allowImages of moduleControllers, or add it there`,
    )
  checkNames(data.permissions, Object.keys(permissions), 'permission')
  checkNames(data.imagePullSecrets, imagePullSecrets, 'pull secret')
  return data
}

function matchesEntry(image: string, allowed: string): boolean {
  return /[/:@]$/.test(allowed) ? image.startsWith(allowed) : image === allowed
}

function checkNames(wanted: readonly string[], allowed: readonly string[], what: string): void {
  const foreign = wanted.find((name) => !allowed.includes(name))
  if (foreign === undefined) return
  const allowedText = allowed.length > 0 ? `it allows ${allowed.join(', ')}` : 'it allows none'
  throw new PermanentError(
    `the operator does not allow the ${what} ${JSON.stringify(foreign)}: ${allowedText}`,
  )
}
