// Named one by one, because a bundler that splits cannot name what a CommonJS package exports when it is loaded late.
export { LineCounter, parseAllDocuments, parseDocument, stringify } from 'yaml'
