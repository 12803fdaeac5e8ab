import { MOST_ROWS, USUAL_ROWS } from './pages.ts'
import type { Fields } from './query.ts'
import type { Route } from './routes.ts'

type Json = Readonly<Record<string, unknown>>

const PROBLEM = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    detail: { type: 'string' },
    hint: { type: 'string' },
    candidates: { type: 'array', items: {} },
  },
  required: ['type', 'title', 'status', 'code', 'detail', 'hint'],
}

/** What can be asked over HTTP, as OpenAPI 3.1 has it: made from the operations, so it says what they say. */
export function openApi(routes: readonly Route[], version: string): Json {
  const paths = Object.fromEntries(
    routes.map((route) => [`/api/${route.path}`, { [route.method.toLowerCase()]: description(route) }]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'recall',
      version,
      description:
        'The operations of recall over HTTP. Every answer is the document that the command prints with --json.',
    },
    servers: [{ url: '/' }],
    security: [{ cookie: [] }, { bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        cookie: { type: 'apiKey', in: 'cookie', name: 'recall_<port>' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Problem: PROBLEM },
      responses: {
        Problem: {
          description: 'What went wrong, and what to do about it',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  }
}

function description(route: Route): Json {
  const { name, operation, method, fields, lists } = route
  const { summary, details, output } = operation
  const { properties, ...rest } = output as { readonly properties?: Json }
  const document = { ...rest, properties: { schema_version: { type: 'integer' }, ...properties } }
  const link = { description: 'where the list goes on', schema: { type: 'string' } }
  return {
    operationId: name,
    summary,
    ...(details === undefined ? {} : { description: details }),
    ...(method === 'GET' ? { parameters: parameters(route) } : { requestBody: body(fields, operation.input) }),
    responses: {
      200: {
        description: 'the document',
        ...(lists.length === 0 ? {} : { headers: { Link: link } }),
        content: { 'application/json': { schema: document } },
      },
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}

function parameters({ fields, operation, lists }: Route): Json[] {
  const required = (operation.input as { readonly required?: readonly string[] }).required ?? []
  const own = Object.entries(fields).filter(([name]) => lists.length === 0 || name !== 'limit')
  const names = lists.join(', ')
  return [
    ...own.map(([name, { description: told, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      ...(told === undefined ? {} : { description: told }),
      ...(schema['type'] === 'array' ? { style: 'form', explode: true } : {}),
      schema,
    })),
    ...(lists.length === 0
      ? []
      : [
          page('limit', `how many of ${names}`, { minimum: 1, maximum: MOST_ROWS, default: USUAL_ROWS }),
          page('offset', `how many of ${names} to pass over`, { minimum: 0, default: 0 }),
        ]),
  ]
}

function page(name: string, description: string, schema: Json): Json {
  return { name, in: 'query', required: false, description, schema: { type: 'integer', ...schema } }
}

function body(fields: Fields, input: object): Json {
  return { required: Object.keys(fields).length > 0, content: { 'application/json': { schema: input } } }
}
