import type { KubectlResult } from './run-kubectl.js'

/** The parts of a result that must be equal on two equal servers. */
export function comparable({ command, line, code, stdout, stderr }: KubectlResult): object {
  if (command.statusOnly !== undefined) return { line, code }
  return { line, code, stdout: plain(stdout), stderr: plain(stderr) }
}

/**
 * Parts that differ between runs, and their replacements. Trailing blanks are included, because columns are
 * aligned.
 */
const varying: readonly (readonly [RegExp, string])[] = [
  // On a busy machine the time of `--timeout` may end before the watch is open.
  [/^E\d{4} .* reflector\.go:\d+\] "Failed to watch" err="context deadline exceeded".*\n/gm, ''],
  // On a busy machine kubectl may give up before its next request, and then does not name the object.
  [
    /^error: (timed out waiting for the condition on \S+|client rate limiter Wait returned an error: context deadline exceeded)$/gm,
    'error: <timed out>',
  ],
  [/\b(127\.0\.0\.1|localhost):\d+/g, '<server>'],
  [/\b(AGE|CLUSTER-IP) +/g, '$1 '],
  [/\b10\.96\.\d+\.\d+\b */g, '<address> '],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?/g, '<time>'],
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}( UTC)?/g, '<time>'],
  [/\b[0-9a-f]{64}\b/g, '<digest>'],
  [/((?:resourceVersion|uid|Resource Version)"?: *)"?[\d<>a-z]+"?/g, '$1<set>'],
  [/\/tmp\/\S+/g, '<file>'],
  [/(?<=\s|\()((\d+m)?\d+s|[2-9]m)\b */g, '<age> '],
]

function plain(text: string): string {
  return varying.reduce((rest, [pattern, name]) => rest.replace(pattern, name), text)
}
