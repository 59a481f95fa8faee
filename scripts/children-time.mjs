import { readFileSync } from 'node:fs'

/** The unit of /proc, in milliseconds. */
const tickMs = 10

/**
 * The processor time of all children that have ended, with that of the programs that these waited for, in milliseconds;
 * undefined on a system without /proc.
 */
export function childrenTimeMs(stat = ownStat()) {
  if (stat === undefined) return undefined
  // The name of the program, in parentheses, may contain spaces. The fields after it begin with the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [userTicks, systemTicks] = [fields[13], fields[14]].map(Number)
  return (userTicks + systemTicks) * tickMs
}

function ownStat() {
  try {
    return readFileSync('/proc/self/stat', 'utf8')
  } catch {
    return undefined
  }
}
