/** Node's flags in images: small semi-spaces save a third of the memory for hardly any time (docs/adr/0023). */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=8']
