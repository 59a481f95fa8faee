/**
 * Whether the environment asks a program to describe itself (`VCLUSTER_PLUGIN_DESCRIBE=1`): its `start` then prints the
 * description as one line of JSON and ends, without clusters.
 */
export function describes(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.VCLUSTER_PLUGIN_DESCRIBE === '1'
}
