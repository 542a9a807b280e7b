import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiRequest } from '../http/api-request.js';

/** The pages of the panel, behind the gate. Its files, and its pages with `panel.auth: bearer`, have no gate. */
@Controller('panel')
export class PanelController {
  @All()
  show(@Req() request: Request, @Res() response: Response): void {
    const { match } = ApiRequest.get(request);
    if (match.kind === 'panel') match.requested.answer(request, response);
  }
}
