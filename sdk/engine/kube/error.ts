import type { PluginErrorCode } from './error-code.js'
import { withoutObjects } from './without-objects.js'

/** A `meta/v1 Status`, which is how an API server says no. */
export interface Status {
  kind?: 'Status'
  apiVersion?: 'v1'
  metadata?: Record<string, unknown>
  status?: 'Success' | 'Failure'
  message?: string
  reason?: string
  code?: number
  details?: StatusDetails
}

/** Details of a {@link Status} in addition to its reason. */
export interface StatusDetails {
  name?: string
  group?: string
  kind?: string
  uid?: string
  causes?: { reason?: string; message?: string; field?: string }[]
  retryAfterSeconds?: number
}

/**
 * A refusal of the API server. {@link isNotFound} and its siblings tell the reasons apart. The message leaves out the
 * objects that an API server quotes or compares for some fields, because they show values; `status` is the whole
 * answer.
 *
 * @example
 * ```ts
 * try {
 *   await ctx.host.client.get(configMaps, { namespace: ctx.targetNamespace, name: 'settings' })
 * } catch (error) {
 *   if (error instanceof ApiError) console.error(error.code, error.reason, error.message)
 * }
 * ```
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: Status
  /** The HTTP status code. */
  readonly code: number
  /** The machine-readable reason, for example `NotFound`; `''` when the server gave none. */
  readonly reason: string

  constructor(status: Status, options?: ErrorOptions) {
    const { message = '', code = 'with an error' } = status
    const text = typeof message === 'string' && message !== '' ? message : `the API server answered ${code}`
    super(withoutObjects(text, status.details?.causes), options)
    this.status = status
    this.code = status.code ?? 500
    this.reason = status.reason ?? ''
  }
}

/**
 * Thrown by a syncer: retrying is useless until one of the objects changes.
 *
 * @example
 * ```ts
 * function sizeOf(configMap: ConfigMap): number {
 *   const size = Number(configMap.data?.size)
 *   if (Number.isNaN(size)) throw new PermanentError('data.size is not a number; correct it')
 *   return size
 * }
 * ```
 */
export class PermanentError extends Error {
  override readonly name: string = 'PermanentError'
  /** The reason of the Event that reports it. */
  readonly eventReason: string = 'SyncError'
  /**
   * When the key runs again nevertheless, in milliseconds, because something else than its objects may change; default
   * never.
   */
  retryInMs?: number
}

/**
 * An error in how the SDK is used, configured or deployed. `code` is stable, for programs and searches;
 * `docs/errors.md` has the cause and the cure of each code.
 *
 * @example
 * ```ts
 * try {
 *   await plugin.start()
 * } catch (error) {
 *   if (error instanceof PluginError && error.code === 'LEADERSHIP_LOST') process.exit(0)
 *   throw error
 * }
 * ```
 */
export class PluginError extends Error {
  override readonly name = 'PluginError'
  readonly code: PluginErrorCode

  constructor(code: PluginErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const withReason = (error: unknown, code: number, ...reasons: string[]): error is ApiError =>
  error instanceof ApiError && (reasons.length === 0 ? error.code === code : reasons.includes(error.reason))

/**
 * The object, or the resource itself, is not there.
 *
 * @example
 * ```ts
 * const key = { namespace: ctx.targetNamespace, name: 'settings' }
 * const found = await ctx.host.client.get(configMaps, key).catch((error: unknown) => {
 *   if (isNotFound(error)) return undefined
 *   throw error
 * })
 * console.log(found?.data)
 * ```
 */
export const isNotFound = (error: unknown): error is ApiError => withReason(error, 404)
/**
 * A create met an object of the same name.
 *
 * @example
 * ```ts
 * const settings = { metadata: { namespace: ctx.targetNamespace, name: 'settings' } }
 * try {
 *   await ctx.host.client.create(configMaps, settings)
 * } catch (error) {
 *   if (!isAlreadyExists(error)) throw error
 * }
 * ```
 */
export const isAlreadyExists = (error: unknown): error is ApiError => withReason(error, 409, 'AlreadyExists')
/**
 * A write or delete carried a precondition that no longer held.
 *
 * @example
 * ```ts
 * const settings = { metadata: { namespace: ctx.targetNamespace, name: 'settings' } }
 * try {
 *   await ctx.host.client.update(configMaps, settings)
 * } catch (error) {
 *   if (!isConflict(error)) throw error
 * }
 * ```
 */
export const isConflict = (error: unknown): error is ApiError => withReason(error, 409, 'Conflict')
/**
 * The caller lacks the permission, or a quota is used up.
 *
 * @example
 * ```ts
 * const settings = { metadata: { namespace: ctx.targetNamespace, name: 'settings' } }
 * try {
 *   await ctx.host.client.create(configMaps, settings)
 * } catch (error) {
 *   if (!isForbidden(error)) throw error
 * }
 * ```
 */
export const isForbidden = (error: unknown): error is ApiError => withReason(error, 403)
/**
 * The caller is not known to the server.
 *
 * @example
 * ```ts
 * const key = { namespace: ctx.targetNamespace, name: 'settings' }
 * const found = await ctx.host.client.get(configMaps, key).catch((error: unknown) => {
 *   if (isUnauthorized(error)) return undefined
 *   throw error
 * })
 * console.log(found?.data)
 * ```
 */
export const isUnauthorized = (error: unknown): error is ApiError => withReason(error, 401)
/**
 * The object failed validation.
 *
 * @example
 * ```ts
 * const settings = { metadata: { namespace: ctx.targetNamespace, name: 'settings' } }
 * try {
 *   await ctx.host.client.create(configMaps, settings)
 * } catch (error) {
 *   if (!isInvalid(error)) throw error
 * }
 * ```
 */
export const isInvalid = (error: unknown): error is ApiError => withReason(error, 422)
/**
 * The resourceVersion or continue token is older than what the server remembers.
 *
 * @example
 * ```ts
 * const key = { namespace: ctx.targetNamespace, name: 'settings' }
 * const found = await ctx.host.client.get(configMaps, key).catch((error: unknown) => {
 *   if (isGone(error)) return undefined
 *   throw error
 * })
 * console.log(found?.data)
 * ```
 */
export const isGone = (error: unknown): error is ApiError => withReason(error, 410)
/**
 * The server is overloaded and asks for patience.
 *
 * @example
 * ```ts
 * const key = { namespace: ctx.targetNamespace, name: 'settings' }
 * const found = await ctx.host.client.get(configMaps, key).catch((error: unknown) => {
 *   if (isTooManyRequests(error)) return undefined
 *   throw error
 * })
 * console.log(found?.data)
 * ```
 */
export const isTooManyRequests = (error: unknown): error is ApiError => withReason(error, 429)
/** The namespace of a create is being deleted, which the server reports as a separate cause. */
export const isNamespaceTerminating = (error: unknown): error is ApiError =>
  withReason(error, 403) && hasCause(error, 'NamespaceTerminating')

const hasCause = ({ status }: ApiError, reason: string): boolean =>
  status.details?.causes?.some((cause) => cause.reason === reason) ?? false
