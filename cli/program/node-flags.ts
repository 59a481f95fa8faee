/**
 * Node's flags in images: small semi-spaces, and one thread that collects them, need less memory for hardly any time
 * (docs/adr/0023).
 */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=8', '--no-parallel-scavenge']
