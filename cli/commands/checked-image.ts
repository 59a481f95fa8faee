import { UsageError } from '../terminal/usage-error.js'

/**
 * Returns the value of the flag `--image`. A variable of a template, such as `{{ .Values.image }}`, is permitted.
 * Throws `UsageError` for a text that no kubelet can pull.
 */
export function checkedImage(image: string | undefined): string | undefined {
  if (image === undefined) return undefined
  const text = image.replace(/\{\{.*?\}\}/g, 'variable')
  if (/^[^\s:/@][^\s]*$/.test(text) && !text.includes('://')) return image
  throw new UsageError(
    `--image must be the name of an image such as registry.example.com/my-program:v1, got ${JSON.stringify(image)}`,
  )
}
