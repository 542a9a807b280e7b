import {
  API_ROUTES,
  routeName,
  type ApiRoute,
  type RouteKey,
} from '../../libs/contracts/src/api/api.routes.js';
import { pathParameters, requestId } from './parameters.js';
import { possibleErrors } from './possible-errors.js';
import { codesByStatus, failureName, success } from './responses.js';
import { ROUTE_DESCRIPTIONS } from './route-descriptions.js';

/** One route of the list, as OpenAPI tells it. */
export function operation(key: RouteKey) {
  const route: ApiRoute = API_ROUTES[key];
  const description = ROUTE_DESCRIPTIONS[key];
  const { summary, query = [], headers = [], body } = description;
  return {
    operationId: routeName(key),
    tags: [key.split('.')[0] ?? key],
    summary,
    ...(description.description !== undefined && { description: description.description }),
    'x-guardrails-writes': route.writes,
    security: [{ deployer: [] }],
    parameters: [...pathParameters(route.path), ...query, ...headers, requestId],
    ...(body !== undefined && {
      requestBody: { required: route.body === 'required', content: { 'application/json': body } },
    }),
    responses: {
      200: success(route, description),
      ...Object.fromEntries(
        [...codesByStatus(possibleErrors(route, description))].map(([status, codes]) => [
          status,
          { $ref: `#/components/responses/${failureName(codes)}` },
        ]),
      ),
    },
  };
}
