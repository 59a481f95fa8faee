import { SecretMasker } from './secret-masker.js'

/**
 * Masks secret texts in a message, also in the forms in which JSON or log lines escape them. Programs cut long
 * messages, so the beginning of a secret text at the end of a message is masked too. With too many secret texts,
 * another message is returned.
 */
export function redact(message: string, secretTexts: readonly string[]): string {
  const masker = new SecretMasker()
  for (const text of secretTexts) masker.add(text)
  return masker.mask(message)
}
