import { applyDecorators, HttpCode, RequestMapping, RequestMethod } from '@nestjs/common';
import { API_ROUTES, type RouteKey } from '../../libs/contracts/src/api/api.routes.js';

/** Binds a handler to its route in THE list: verb and path are written there and nowhere else. */
export function Serves(key: RouteKey): MethodDecorator {
  const { method, path } = API_ROUTES[key];
  return applyDecorators(RequestMapping({ path, method: RequestMethod[method] }), HttpCode(200));
}
