import { nodeFlags } from '../../program/node-flags.js'

/** The command of an image that runs a bundle, without a shell. */
export const entrypoint = (main: string) => {
  const words = ['node', ...nodeFlags, main].map((word) => JSON.stringify(word))
  return `ENTRYPOINT [${words.join(', ')}]`
}
