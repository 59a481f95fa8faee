import type { Clock } from '../../sdk/engine/time/clock.js'

/** Interval of checks of the parent process, in milliseconds. */
const checkEveryMs = 500

/** Options of {@link onParentGone}. */
export interface ParentGoneOptions {
  env: Readonly<Record<string, string | undefined>>
  /** The id of the parent process now; another one after the first parent has ended. */
  parentId: () => number
  clock: Clock
  /** Called once. */
  onGone: () => void
}

/**
 * Calls back when the parent has ended, if npm runs this command in the foreground. npm passes SIGTERM only to its
 * shell, which ends without passing it on. A program that the user started in the background stays: `nohup`, `setsid`
 * and `&` are for that.
 */
export function onParentGone({ env, parentId, clock, onGone }: ParentGoneOptions): void {
  if (!isForegroundOfNpm(env)) return
  const first = parentId()
  const check = () => {
    if (parentId() === first) clock.schedule(checkEveryMs, check)
    else onGone()
  }
  clock.schedule(checkEveryMs, check)
}

/** Programs that an npm script runs inherit its environment too, so the script has to be this command. */
function isForegroundOfNpm({ npm_lifecycle_script: script = '' }: ParentGoneOptions['env']): boolean {
  const staysAfterwards = /(?<![&>])&(?![&>])|\b(?:nohup|setsid|disown)\b/.test(script)
  return script.includes('vcluster-plugin') && !staysAfterwards
}
