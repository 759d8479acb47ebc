"""The document and the pages of documentation: nothing in them comes from anywhere else."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from services.api.edge import Json
from services.api.html import problems_page, reference_page

router = APIRouter(include_in_schema=False)

POLICY = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}


@router.get("/")
async def home() -> Response:
    return RedirectResponse("/docs")


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    return Json(request.app.openapi())


@router.get("/docs")
async def reference(request: Request) -> Response:
    return HTMLResponse(reference_page(request.app.openapi()), headers=POLICY)


@router.get("/docs/problems")
async def problems() -> Response:
    return HTMLResponse(problems_page(), headers=POLICY)
