export function handleControl(request: Request, env: object): Promise<Response>;
