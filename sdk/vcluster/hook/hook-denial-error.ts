/**
 * Thrown by a hook to deny an operation of vcluster. vcluster shows the message in an Event of the object, so say what
 * is wrong and what to change, and never a secret. The message of any other error stays in the log of the plugin.
 *
 * @example
 * ```ts
 * class NoHostNetwork extends ClientHook<Pod> {
 *   override mutateCreatePhysical(_: HookContext, pod: Pod): Pod {
 *     if (pod.spec?.hostNetwork) throw new HookDenialError('spec.hostNetwork is not allowed here: remove it')
 *     return pod
 *   }
 * }
 * ```
 */
export class HookDenialError extends Error {
  override readonly name: string = 'HookDenialError'

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
  }
}
