# One image for the API and the workers; docker-compose.yml says which it is.
ARG PYTHON_IMAGE=python:3.11-slim
FROM ${PYTHON_IMAGE} AS build
WORKDIR /src
COPY requirements/run.txt requirements/build.txt requirements/
RUN python -m venv /opt/build \
 && /opt/build/bin/pip install --no-cache-dir --require-hashes -r requirements/build.txt \
 && python -m venv /opt/hallowstream \
 && /opt/hallowstream/bin/pip install --no-cache-dir --require-hashes -r requirements/run.txt
COPY pyproject.toml README.md LICENSE ./
COPY games games
COPY events events
COPY projections projections
COPY replay replay
COPY services services
# What installs is locked nowhere, and stays behind: only what the lock names is in the image.
RUN /opt/build/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir dist . \
 && /opt/hallowstream/bin/pip install --no-cache-dir --no-deps dist/*.whl \
 && /opt/hallowstream/bin/python -m pip uninstall --yes setuptools pip

FROM ${PYTHON_IMAGE}
RUN useradd --system --create-home --uid 10001 hallowstream \
 && install -d -o hallowstream /archive
COPY --from=build /opt/hallowstream /opt/hallowstream
ENV PATH=/opt/hallowstream/bin:$PATH PYTHONUNBUFFERED=1
USER hallowstream
WORKDIR /home/hallowstream
EXPOSE 8000
ENTRYPOINT ["hallowstream"]
CMD ["serve", "--workers", "0", "--host", "0.0.0.0", "--port", "8000"]
